import { limits } from '#shared/limits'
import type { SettingsPatch } from '#shared/settings/settings'
import { codeLives } from '#shared/settings/share-options'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import {
  ChoiceRow,
  NumberRow,
  SettingGroup,
  SwitchRow,
  TextRow,
} from '../../components/setting-rows'
import { text } from '../../text'
import { patternsOf } from '../../view/next-share'

const change = (sharing: SettingsPatch['sharing'] & object): void => {
  void changeSettings({ sharing })
}

const lives = Object.keys(codeLives) as (keyof typeof codeLives)[]

export function SharingPage() {
  const sharing = useSettings('sharing')
  const words = text.settings.sharing
  return (
    <>
      <SettingGroup>
        <ChoiceRow
          label={words.codeLife}
          value={sharing.codeLife}
          options={lives.map((life) => [life, words.codeLives[life]])}
          onChange={(codeLife) => change({ codeLife })}
        />
        <SwitchRow
          label={words.oneReceiver}
          about={words.oneReceiverAbout}
          value={sharing.oneReceiver}
          onChange={(oneReceiver) => change({ oneReceiver })}
        />
        <SwitchRow
          label={words.approve}
          about={words.approveAbout}
          value={sharing.approve}
          onChange={(approve) => change({ approve })}
        />
        <SwitchRow
          label={words.browsers}
          about={words.browsersAbout}
          value={sharing.browsers}
          onChange={(browsers) => change({ browsers })}
        />
        <NumberRow
          label={words.maxReceivers}
          about={words.maxReceiversAbout}
          value={sharing.maxReceivers}
          least={1}
          most={limits.maxReceiversPerShare}
          onChange={(maxReceivers) => change({ maxReceivers })}
        />
      </SettingGroup>
      <SettingGroup>
        <TextRow
          label={words.exclude}
          about={words.excludeAbout}
          placeholder={words.excludePlaceholder}
          maxLength={limits.pathBytes}
          value={sharing.exclude.join(', ')}
          onChange={(line) => change({ exclude: patternsOf(line) })}
        />
        <SwitchRow
          label={words.gitignore}
          about={words.gitignoreAbout}
          value={sharing.gitignore}
          onChange={(gitignore) => change({ gitignore })}
        />
        <SwitchRow
          label={words.links}
          about={words.linksAbout}
          value={sharing.links}
          onChange={(links) => change({ links })}
        />
        <SwitchRow
          label={words.followLinks}
          about={words.followLinksAbout}
          value={sharing.followLinks}
          onChange={(followLinks) => change({ followLinks })}
        />
        <SwitchRow
          label={words.attributes}
          about={words.attributesAbout}
          value={sharing.attributes}
          onChange={(attributes) => {
            change({ attributes })
          }}
        />
      </SettingGroup>
    </>
  )
}
