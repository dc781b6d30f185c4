import { createRoot } from 'react-dom/client'
import { App } from './app'
import { takeLink } from './actions'
import { bridge } from './bridge'
import { announce } from './announce'
import { mirrorState } from './store/app-store'
import { followSystemTheme } from './theme'
import './styles/index.css'

followSystemTheme(document.documentElement)
mirrorState(bridge)
bridge.onEvents(announce)
bridge.onLink(() => void takeLink())
void takeLink()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(<App />)
