import { useEffect, useState } from 'react'
import { movesBytes } from '#shared/state/queries'
import type { News } from '#shared/update/news'
import { noUpdates, type UpdateStatus } from '#shared/update/update-status'
import { openLicenses } from '../../actions/license-actions'
import { changeSettings, useSettings } from '../../actions/settings-actions'
import { checkForUpdate, installUpdate, news } from '../../actions/update-actions'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { Bar } from '../../components/progress'
import { ChoiceRow, SettingGroup, SettingRow, SwitchRow } from '../../components/setting-rows'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { updateView } from '../../view/update-view'

/** The program's version, its updates, and its licenses. */
export function AboutPage() {
  const update = useAppStore(({ state }) => state?.update ?? noUpdates)
  const isBusy = useAppStore(({ state }) => state !== null && movesBytes(state))
  return (
    <>
      <SettingGroup>
        <VersionRow update={update} isBusy={isBusy} />
        {!bridge.isSandboxed && <SettingRow {...text.updates.noSandbox} />}
        {update.by === 'app' && <UpdateChoices />}
      </SettingGroup>
      <NewsList version={update.version} />
      <SettingGroup>
        <SettingRow label={text.licenses.title} about={text.licenses.about}>
          <Button onClick={() => void openLicenses()}>{text.licenses.show}</Button>
        </SettingRow>
      </SettingGroup>
    </>
  )
}

function VersionRow({
  update,
  isBusy,
}: {
  readonly update: UpdateStatus
  readonly isBusy: boolean
}) {
  const words = text.updates
  const { about, action, isPossible, fraction } = updateView(update, isBusy)
  return (
    <>
      <SettingRow label={words.version(update.version)} about={about}>
        {action !== null && (
          <Button
            variant={action === 'restart' ? 'primary' : 'plain'}
            isDisabled={!isPossible}
            onClick={() => void (action === 'restart' ? installUpdate() : checkForUpdate())}
          >
            {words[action]}
          </Button>
        )}
      </SettingRow>
      {fraction !== null && (
        <div className="setting-progress">
          <Bar fraction={fraction} name={words.downloadingName} />
        </div>
      )}
    </>
  )
}

function UpdateChoices() {
  const { automatic, channel } = useSettings('updates')
  const words = text.updates
  return (
    <>
      <SwitchRow
        label={words.automatic}
        about={words.automaticAbout}
        value={automatic}
        onChange={(value) => void changeSettings({ updates: { automatic: value } })}
      />
      <ChoiceRow
        label={words.channel}
        about={words.channelAbout}
        value={channel}
        options={[
          ['stable', words.channels.stable],
          ['beta', words.channels.beta],
        ]}
        onChange={(value) => void changeSettings({ updates: { channel: value } })}
      />
    </>
  )
}

/** Closed, unless the person follows the note about the new version. */
function NewsList({ version }: { readonly version: string }) {
  const [found, setFound] = useState<News | null>(null)
  const showsNews = useUiStore((ui) => ui.showsNews)
  useEffect(() => {
    let isShown = true
    void news().then((answer) => {
      if (isShown) setFound(answer)
    })
    return () => {
      isShown = false
      useUiStore.setState({ showsNews: false })
    }
  }, [])
  if (found === null || found.sections.length === 0) return null
  return (
    <details className="news" open={showsNews}>
      <summary>{text.updates.news(version)}</summary>
      {found.sections.map(({ title, points }) => (
        <section key={title}>
          {title !== '' && <h2>{title}</h2>}
          <ul>
            {points.map((point) => (
              <li key={point}>{plainText(point)}</li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  )
}

/** Removes the changelog's markup for names, commands and links. */
const plainText = (markdown: string): string =>
  markdown.replace(/`([^`]*)`/g, '$1').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
