import { limits } from '#shared/limits'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import { SettingGroup, SwitchRow, TextRow } from '../../components/setting-rows'
import { text } from '../../text'

type Flag = 'closeToTray' | 'startAtLogin' | 'resumeShares' | 'keepAwake' | 'keepHistory'

export function GeneralPage() {
  const general = useSettings('general')
  const words = text.settings.general
  const row = (flag: Flag, label: string, about: string) => (
    <SwitchRow
      label={label}
      about={about}
      value={general[flag]}
      onChange={(value) => void changeSettings({ general: { [flag]: value } })}
    />
  )
  return (
    <>
      <SettingGroup>
        <TextRow
          label={words.name}
          about={words.nameAbout}
          placeholder={words.namePlaceholder}
          maxLength={limits.peerNameBytes}
          value={general.name}
          onChange={(value) => void changeSettings({ general: { name: value } })}
        />
      </SettingGroup>
      <SettingGroup title={words.running}>
        {row('closeToTray', words.closeToTray, words.closeToTrayAbout)}
        {row('startAtLogin', words.startAtLogin, words.startAtLoginAbout)}
        {row('resumeShares', words.resumeShares, words.resumeSharesAbout)}
        {row('keepAwake', words.keepAwake, words.keepAwakeAbout)}
      </SettingGroup>
      <SettingGroup title={text.sections.history}>
        {row('keepHistory', words.keepHistory, words.keepHistoryAbout)}
      </SettingGroup>
    </>
  )
}
