/** Light and dark follow the system, even while the window is open. */
export function followSystemTheme(root: HTMLElement): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    root.dataset['theme'] = dark.matches ? 'dark' : 'light'
  }
  dark.addEventListener('change', apply)
  apply()
}
