import {
  Bell,
  Download,
  Info,
  type LucideIcon,
  Network,
  Palette,
  Settings2,
  SlidersVertical,
  Upload,
  Users,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { openSettings } from '../../actions/section-actions'
import { Icon } from '../../components/icon'
import { type SettingsPage, settingsPages } from '../../sections'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { AboutPage } from './about-page'
import { AdvancedPage } from './advanced-page'
import { AppearancePage } from './appearance-page'
import { ContactsPage } from './contacts-page'
import { GeneralPage } from './general-page'
import { NetworkPage } from './network-page'
import { NotificationsPage } from './notifications-page'
import { ReceivingPage } from './receiving-page'
import { SharingPage } from './sharing-page'

const pages: {
  readonly [P in SettingsPage]: { readonly icon: LucideIcon; readonly Page: ComponentType }
} = {
  general: { icon: Settings2, Page: GeneralPage },
  sharing: { icon: Upload, Page: SharingPage },
  receiving: { icon: Download, Page: ReceivingPage },
  network: { icon: Network, Page: NetworkPage },
  contacts: { icon: Users, Page: ContactsPage },
  notifications: { icon: Bell, Page: NotificationsPage },
  appearance: { icon: Palette, Page: AppearancePage },
  advanced: { icon: SlidersVertical, Page: AdvancedPage },
  about: { icon: Info, Page: AboutPage },
}

/** One page of settings, and links to the others. */
export function SettingsScreen() {
  const current = useUiStore(({ settingsPage }) => settingsPage)
  const { Page } = pages[current]
  return (
    <div className="settings-screen">
      <nav className="settings-nav" aria-label={text.sections.settings}>
        {settingsPages.map((page) => (
          <button
            key={page}
            type="button"
            aria-current={page === current ? 'page' : undefined}
            onClick={() => openSettings(page)}
          >
            <Icon of={pages[page].icon} />
            {text.settings.pages[page]}
          </button>
        ))}
      </nav>
      <div className="settings-page">
        <h1>{text.settings.pages[current]}</h1>
        <Page />
      </div>
    </div>
  )
}
