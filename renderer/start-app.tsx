import { createRoot } from 'react-dom/client'
import { takeLink } from './actions'
import { announce } from './announce'
import { App } from './app'
import { bridge } from './bridge'
import { answerRequest } from './shortcut-actions'
import { mirrorState } from './store/app-store'
import { followSystemTheme } from './theme'

/** The window's app, once its texts are there. */
export function startApp(): void {
  followSystemTheme(document.documentElement)
  mirrorState(bridge)
  bridge.onEvents(announce)
  bridge.onLink(() => void takeLink())
  bridge.onRequest(answerRequest)
  void takeLink()

  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  createRoot(root).render(<App />)
}
