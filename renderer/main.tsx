/** Loads the texts of the page's language, then the app. */
import './styles/index.css'
import { isLanguage, languages } from '#shared/language'
import { loadText } from './text'

async function start(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const asked = query.get('lang') ?? 'en'
  const language = isLanguage(asked) ? asked : 'en'
  document.documentElement.lang = language
  document.documentElement.dir = languages[language].direction
  await loadText(language)
  const trouble = query.get('trouble')
  if (trouble !== null) {
    const { startTrouble } = await import('./screens/trouble/trouble-page')
    startTrouble(trouble)
    return
  }
  const { startApp } = await import('./start-app')
  startApp()
}

void start()
