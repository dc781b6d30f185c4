/** Rows of a settings page: a label, an explanation, and one control. Changes are saved immediately. */
import { Folder } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { text } from '../text'
import { Button } from './button'
import { Choice } from './choice'
import { NumberField } from './number-field'

/** A group of related rows, with a heading unless the page's own is enough. */
export const SettingGroup = ({
  title,
  children,
}: {
  readonly title?: string
  readonly children: ReactNode
}) => (
  <section className="setting-group" aria-label={title}>
    {title !== undefined && <h2>{title}</h2>}
    <div className="setting-card">{children}</div>
  </section>
)

type RowProps = {
  readonly label: string
  readonly about?: string | undefined
}

/** A row with any control; `labelId` names it. */
export const SettingRow = ({
  label,
  about,
  children,
  labelId,
}: RowProps & { readonly children?: ReactNode; readonly labelId?: string }) => (
  <div className="setting-row">
    <div className="grow">
      <span className="setting-label" id={labelId}>
        {label}
      </span>
      {about !== undefined && <p>{about}</p>}
    </div>
    {children}
  </div>
)

export function SwitchRow({
  value,
  onChange,
  ...row
}: RowProps & { readonly value: boolean; readonly onChange: (value: boolean) => void }) {
  const labelId = useId()
  return (
    <SettingRow {...row} labelId={labelId}>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={value}
        aria-labelledby={labelId}
        onClick={() => onChange(!value)}
      />
    </SettingRow>
  )
}

/** A choice among a few options. */
export const ChoiceRow = <V extends string>({
  value,
  options,
  onChange,
  ...row
}: RowProps & {
  readonly value: V
  readonly options: readonly (readonly [V, string])[]
  readonly onChange: (value: V) => void
}) => (
  <SettingRow {...row}>
    <Choice name={row.label} value={value} options={options} onChange={onChange} />
  </SettingRow>
)

/** A whole number within bounds. */
export const NumberRow = ({
  value,
  least,
  most,
  unit,
  onChange,
  ...row
}: RowProps & {
  readonly value: number
  readonly least: number
  readonly most: number
  readonly unit?: string
  readonly onChange: (value: number) => void
}) => (
  <SettingRow {...row}>
    <NumberField name={row.label} value={value} least={least} most={most} onChange={onChange} />
    {unit !== undefined && <span className="sub">{unit}</span>}
  </SettingRow>
)

/** A line of text, saved on blur or with Enter; Esc discards the changes. */
export function TextRow({
  value,
  placeholder,
  maxLength,
  onChange,
  ...row
}: RowProps & {
  readonly value: string
  readonly placeholder?: string
  readonly maxLength: number
  readonly onChange: (value: string) => void
}) {
  const labelId = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const save = (): void => {
    setDraft(null)
    if (draft !== null && draft.trim() !== value) onChange(draft.trim())
  }
  return (
    <SettingRow {...row} labelId={labelId}>
      <input
        className="text-field"
        type="text"
        aria-labelledby={labelId}
        value={draft ?? value}
        placeholder={placeholder}
        maxLength={maxLength}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save()
          if (key === 'Escape') setDraft(null)
        }}
      />
    </SettingRow>
  )
}

/** A folder, which can only be chosen in the system's dialog. */
export const FolderRow = ({
  label,
  folder,
  onPick,
  extra,
}: Pick<RowProps, 'label'> & {
  readonly folder: string
  readonly onPick: () => void
  /** Another button, before the one that opens the dialog. */
  readonly extra?: ReactNode
}) => (
  <SettingRow label={label} about={folder}>
    {extra}
    <Button icon={Folder} onClick={onPick}>
      {text.actions.change}
    </Button>
  </SettingRow>
)
