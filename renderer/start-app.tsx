import { createRoot } from 'react-dom/client'
import { takeLink } from './actions/actions'
import { takeRequests } from './actions/shortcut-actions'
import { announce } from './announce'
import { App } from './app'
import { bridge } from './bridge'
import { followDraft } from './draft'
import { mirrorState } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { followSystemTheme } from './theme'

/** Starts the window's app once its texts are loaded. */
export function startApp(): void {
  followSystemTheme(document.documentElement)
  mirrorState(bridge)
  useUiStore.setState({ isFirstTime: new URLSearchParams(location.search).has('first') })
  bridge.onEvents(announce)
  bridge.onEvents((batch) => {
    const isOver = batch.some(({ event }) => /^receiver?-accepted$/.test(event.type))
    if (isOver) useUiStore.setState({ isFirstTime: false })
  })
  bridge.onLink(() => void takeLink())
  bridge.onRequest(() => void takeRequests())
  void takeRequests()
  // An opened link is newer than the draft in the field.
  void followDraft().then(takeLink)

  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  createRoot(root).render(<App />)
}
