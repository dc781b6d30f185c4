import { TooltipProvider } from '@radix-ui/react-tooltip'
import { type ComponentType, useEffect } from 'react'
import { closeNotice } from './actions/actions'
import { Announcer } from './components/announcer'
import { CrashNote } from './components/crash-note'
import { later } from './components/later'
import { Notice } from './components/notice'
import { StorageNotes } from './components/storage-notes'
import { UpdateNote } from './components/update-note'
import { useHasQuestions } from './screens/contacts/questions'
import { DropOverlay } from './screens/drop/drop-overlay'
import { HomeScreen } from './screens/home/home-screen'
import { TransfersScreen } from './screens/transfers/transfers-screen'
import { type Section, titleOf } from './sections'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { TopBar } from './top-bar'
import { useFileDrop } from './use-file-drop'
import { useKeptFocus } from './use-kept-focus'
import { useShortcuts } from './use-shortcuts'
import { interrupted } from './view/receive-view'
import { stackIds } from './view/stack'

const ContactsSheet = later(
  async () => (await import('./screens/contacts/contacts-sheet')).ContactsSheet,
)
const ContactsScreen = later(
  async () => (await import('./screens/contacts/contacts-screen')).ContactsScreen,
)
const HistoryScreen = later(
  async () => (await import('./screens/history/history-screen')).HistoryScreen,
)
const PreviewSheet = later(
  async () => (await import('./screens/preview/preview-sheet')).PreviewSheet,
)
const SettingsScreen = later(
  async () => (await import('./screens/settings/settings-screen')).SettingsScreen,
)
const ShortcutSheet = later(
  async () => (await import('./screens/shortcuts/shortcut-sheet')).ShortcutSheet,
)
const LicenseSheet = later(
  async () => (await import('./screens/licenses/license-sheet')).LicenseSheet,
)
const MeetingSheet = later(
  async () => (await import('./screens/meeting/meeting-sheet')).MeetingSheet,
)
const TextSheet = later(async () => (await import('./screens/text/text-sheet')).TextSheet)

/** The screen of each section; without transfers the home screen replaces TransfersScreen. */
const screens: { readonly [P in Section]: ComponentType } = {
  transfers: TransfersScreen,
  history: HistoryScreen,
  settings: SettingsScreen,
  contacts: ContactsScreen,
}

/** The whole window. Empty until the first snapshot, which arrives before the first paint. */
export function App() {
  useFileDrop()
  useShortcuts()
  useKeptFocus()
  const isKnown = useAppStore(({ state }) => state !== null)
  const isHome = useAppStore(({ state }) => state !== null && stackIds(state).length === 0)
  const hasInterrupted = useAppStore(({ state }) => state !== null && interrupted(state).length > 0)
  const hasQuestions = useHasQuestions()
  const hasTop = hasQuestions || hasInterrupted
  const section = useUiStore((ui) => ui.section)
  const showsHome = section === 'transfers' && isHome && !hasTop
  const Screen = screens[section]
  const notice = useUiStore((ui) => ui.notice)
  useEffect(() => {
    document.title = titleOf(section)
  }, [section])
  if (!isKnown) return null
  return (
    <TooltipProvider delayDuration={400}>
      <div className="app">
        <TopBar withCodeField={!showsHome} />
        <main className={mainClass(showsHome, section)} tabIndex={-1}>
          {notice && <Notice error={notice} onClose={closeNotice} />}
          <CrashNote />
          <UpdateNote />
          <StorageNotes />
          {section === 'transfers' && isHome ? <HomeScreen hasTop={hasTop} /> : <Screen />}
        </main>
        <PreviewSheet />
        <TextSheet />
        <MeetingSheet />
        <ContactsSheet />
        <ShortcutSheet />
        <LicenseSheet />
        <DropOverlay />
        <Announcer />
      </div>
    </TooltipProvider>
  )
}

const mainClass = (showsHome: boolean, section: Section): string =>
  showsHome ? 'main at-home' : section === 'history' ? 'main at-history' : 'main'
