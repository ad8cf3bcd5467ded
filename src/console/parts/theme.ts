// Light, dark, or as the system has it; remembered by the browser.

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'animal-store-mock.theme'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function recallTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
}

/** The next theme in the cycle. */
export function toNextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme
}
