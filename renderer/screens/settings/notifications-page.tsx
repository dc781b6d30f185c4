import { changeSettings, useSettings } from '../../actions/settings-actions'
import { SettingGroup, SwitchRow } from '../../components/setting-rows'
import { text } from '../../text'

const kinds = ['joined', 'asks', 'offers', 'finished', 'failed'] as const

export function NotificationsPage() {
  const notifications = useSettings('notifications')
  const words = text.settings.notifications
  return (
    <>
      <p className="settings-about">{words.about}</p>
      <SettingGroup>
        {kinds.map((kind) => (
          <SwitchRow
            key={kind}
            label={words[kind]}
            value={notifications[kind]}
            onChange={(value) => void changeSettings({ notifications: { [kind]: value } })}
          />
        ))}
      </SettingGroup>
    </>
  )
}
