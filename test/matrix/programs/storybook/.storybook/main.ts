export default {
  framework: '@storybook/html-vite',
  stories: ['./*.stories.ts'],
  addons: ['@storybook/addon-docs'],
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
}
