import { conflictPolicies } from '#shared/settings/receive-options'
import type { Settings, SettingsPatch } from '#shared/settings/settings'
import { changeSettings, pickReceivingFolder, useSettings } from '../../actions/settings-actions'
import { Button } from '../../components/button'
import { ChoiceRow, FolderRow, SettingGroup, SwitchRow } from '../../components/setting-rows'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'

const change = (receiving: SettingsPatch['receiving'] & object): void => {
  void changeSettings({ receiving })
}

type Flag = {
  [K in keyof Settings['receiving']]: Settings['receiving'][K] extends boolean ? K : never
}[keyof Settings['receiving']]

const keptFlags = [
  'keepTimes',
  'keepExecutable',
  'keepAttributes',
  'makeLinks',
  'makeEmptyFolders',
  'portableNames',
] as const satisfies readonly Flag[]

export function ReceivingPage() {
  const receiving = useSettings('receiving')
  const downloads = useAppStore(({ state }) => state?.downloads ?? '')
  const words = text.settings.receiving
  const row = (flag: Flag, label: string, about?: string) => (
    <SwitchRow
      key={flag}
      label={label}
      about={about}
      value={receiving[flag]}
      onChange={(value) => change({ [flag]: value })}
    />
  )
  return (
    <>
      <SettingGroup>
        <FolderRow
          label={words.folder}
          folder={receiving.folder === '' ? downloads : receiving.folder}
          onPick={() => void pickReceivingFolder()}
          extra={
            receiving.folder !== '' && (
              <Button variant="ghost" onClick={() => change({ folder: null })}>
                {words.downloads}
              </Button>
            )
          }
        />
        <ChoiceRow
          label={words.conflicts}
          value={receiving.conflicts}
          options={conflictPolicies.map((policy) => [policy, text.preview.policies[policy]])}
          onChange={(conflicts) => change({ conflicts })}
        />
        {row('rememberLast', words.rememberLast, words.rememberLastAbout)}
        {row('prefetch', words.prefetch, words.prefetchAbout)}
      </SettingGroup>
      <SettingGroup title={words.quality}>
        {row('resume', words.resume)}
        {row('compareContent', words.compareContent, words.compareContentAbout)}
        {row('verify', words.verify, words.verifyAbout)}
      </SettingGroup>
      <SettingGroup title={words.kept}>
        {keptFlags.map((flag) => row(flag, words[flag]))}
        {row('mark', words.mark, words.markAbout)}
      </SettingGroup>
    </>
  )
}
