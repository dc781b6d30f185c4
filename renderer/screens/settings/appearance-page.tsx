import { ChoiceRow, SettingGroup } from '../../components/setting-rows'
import { changeSettings, useSettings } from '../../settings-actions'
import { text } from '../../text'

const themes = ['system', 'light', 'dark'] as const

export function AppearancePage() {
  const { theme } = useSettings('appearance')
  const words = text.settings.appearance
  return (
    <SettingGroup>
      <ChoiceRow
        label={words.theme}
        value={theme}
        options={themes.map((one) => [one, words.themes[one]])}
        onChange={(value) => void changeSettings({ appearance: { theme: value } })}
      />
    </SettingGroup>
  )
}
