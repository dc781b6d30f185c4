import { limits } from '#shared/limits'
import { SettingGroup, TextRow } from '../../components/setting-rows'
import { changeSettings, useSettings } from '../../settings-actions'
import { text } from '../../text'

export function GeneralPage() {
  const { name } = useSettings('general')
  return (
    <SettingGroup>
      <TextRow
        label={text.settings.general.name}
        about={text.settings.general.nameAbout}
        placeholder={text.settings.general.namePlaceholder}
        maxLength={limits.peerNameBytes}
        value={name}
        onChange={(value) => void changeSettings({ general: { name: value } })}
      />
    </SettingGroup>
  )
}
