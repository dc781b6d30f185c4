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
  const fatal = query.get('fatal')
  if (fatal !== null) {
    const { startFatalErrorPage } = await import('./screens/fatal-error/fatal-error-page')
    startFatalErrorPage(fatal)
    return
  }
  const { startApp } = await import('./start-app')
  startApp()
}

void start()
