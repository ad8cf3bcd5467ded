export default defineNuxtConfig({ telemetry: false })
