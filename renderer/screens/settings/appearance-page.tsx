import { type Language, languages, languageTags } from '#shared/language'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import { ChoiceRow, SettingGroup } from '../../components/setting-rows'
import { text } from '../../text'

const themes = ['system', 'light', 'dark'] as const

/** A language's own name, in any language of the page. */
const languageName = (tag: Language): string => {
  const { name, state } = languages[tag]
  return state === 'preview' ? text.settings.appearance.preview(name) : name
}

export function AppearancePage() {
  const { theme, language } = useSettings('appearance')
  const words = text.settings.appearance
  // Languages for development are shown only if one was chosen by other means.
  const offered = languageTags.filter(
    (tag) => languages[tag].state !== 'development' || tag === language,
  )
  return (
    <SettingGroup>
      <ChoiceRow
        label={words.theme}
        value={theme}
        options={themes.map((one) => [one, words.themes[one]])}
        onChange={(value) => void changeSettings({ appearance: { theme: value } })}
      />
      <ChoiceRow
        label={words.language}
        about={words.languageAbout}
        value={language}
        options={[
          ['system', words.themes.system],
          ...offered.map((tag) => [tag, languageName(tag)] as const),
        ]}
        onChange={(value) => void changeSettings({ appearance: { language: value } })}
      />
    </SettingGroup>
  )
}
