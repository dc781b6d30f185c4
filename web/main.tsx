/** Loads the page's texts, then the page. */
import './styles.css'
import { createRoot } from 'react-dom/client'
import { PageSession } from './page-session'
import { loadText } from './text'
import { Page } from './view/page'

/** The signaling server is the one that this page came from. */
const server = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`

async function start(): Promise<void> {
  await loadText(navigator.languages)
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  const session = new PageSession(
    server,
    () => new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' }),
  )
  createRoot(root).render(<Page session={session} server={server} />)
}

void start()
