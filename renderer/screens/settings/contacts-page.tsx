import { changeSettings, useSettings } from '../../actions/settings-actions'
import { SettingGroup, SwitchRow } from '../../components/setting-rows'
import { text } from '../../text'

export function ContactsPage() {
  const { reachable } = useSettings('contacts')
  return (
    <SettingGroup>
      <SwitchRow
        label={text.settings.contacts.reachable}
        about={text.settings.contacts.reachableAbout}
        value={reachable}
        onChange={(value) => void changeSettings({ contacts: { reachable: value } })}
      />
    </SettingGroup>
  )
}
