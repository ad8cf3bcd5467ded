// VitePress's own theme, the home page, and the button that runs a snippet.
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import LiveMock from './live-mock.vue'
import RunnableSnippet from './runnable-snippet.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveMock', LiveMock)
    app.component('RunnableSnippet', RunnableSnippet)
  },
} satisfies Theme
