import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { visibleText } from '#shared/format/visible-text'
import type { SettingsPreview } from '#shared/ipc'
import { exportSettings, importSettings, pickSettings } from '../../actions/settings-actions'
import { Button } from '../../components/button'
import { SettingGroup, SettingRow } from '../../components/setting-rows'
import { text } from '../../text'

/** Exports the settings to a file, and imports one after a preview of its changes. */
export function SettingsCopies() {
  const [saved, setSaved] = useState<{ name: string; withheld: number } | null>(null)
  const [preview, setPreview] = useState<SettingsPreview | null>(null)
  const [imported, setImported] = useState<string | null>(null)
  const words = text.settings.copies
  return (
    <SettingGroup>
      <SettingRow
        label={words.export}
        about={saved === null ? words.exportAbout : words.exported(saved)}
      >
        <Button
          icon={Upload}
          onClick={() => {
            void exportSettings().then((done) => setSaved(done ?? saved))
          }}
        >
          {words.exportButton}
        </Button>
      </SettingRow>
      <SettingRow
        label={words.import}
        about={imported === null ? words.importAbout : words.imported(imported)}
      >
        <Button
          icon={Download}
          onClick={() => {
            void pickSettings().then((found) => {
              setPreview(found)
              if (found !== null) setImported(null)
            })
          }}
        >
          {words.importButton}
        </Button>
      </SettingRow>
      {preview !== null && (
        <Preview
          preview={preview}
          onDone={(isImported) => {
            if (isImported) setImported(preview.name)
            setPreview(null)
          }}
        />
      )}
    </SettingGroup>
  )
}

type Props = {
  readonly preview: SettingsPreview
  readonly onDone: (isImported: boolean) => void
}

/** The changes that a file would make, its invalid settings, and buttons to import or cancel. */
function Preview({ preview, onDone }: Props) {
  const { name, changes, refused, unknown } = preview
  const words = text.settings.copies
  return (
    <section className="settings-preview" aria-label={words.changes(name)}>
      <h2>{changes.length === 0 ? words.noChanges(name) : words.changes(name)}</h2>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ key, from, to }) => (
            <li key={key}>
              <code>{key}</code>
              <span className="settings-change">
                <bdi>{visibleText(from)}</bdi> → <bdi>{visibleText(to)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <>
          <h2 className="danger">{words.refused(refused.length)}</h2>
          <ul>
            {refused.map(({ key, reason }) => (
              <li key={key}>{visibleText(reason)}</li>
            ))}
          </ul>
        </>
      )}
      {unknown > 0 && <p className="sub">{words.unknown(unknown)}</p>}
      <div className="settings-answers">
        <Button variant="ghost" onClick={() => onDone(false)}>
          {text.actions.cancel}
        </Button>
        {changes.length > 0 && (
          <Button
            variant="primary"
            onClick={() => {
              void importSettings().then(onDone)
            }}
          >
            {words.apply(changes.length)}
          </Button>
        )}
      </div>
    </section>
  )
}
