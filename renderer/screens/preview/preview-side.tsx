import { Folder, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { describeError } from '#shared/describe-error'
import { visibleText } from '#shared/format/visible-text'
import type { Preflight } from '#shared/offer'
import { conflictPolicies, type ReceiveOptions } from '#shared/settings/receive-options'
import type { Receive } from '#shared/state/app-state'
import { chooseDirectory } from '../../actions/actions'
import { Button } from '../../components/button'
import { Choice } from '../../components/choice'
import { Collapsible } from '../../components/collapsible'
import { Icon } from '../../components/icon'
import { LeftOutList } from '../../components/left-out-list'
import { MappedNames } from '../../components/mapped-names'
import { Tick } from '../../components/tick'
import { text } from '../../text'
import type { Preview } from './use-preview'

type Props = {
  readonly receive: Receive
  readonly preview: Preview
  /** Shows the files that already exist, for a decision about each. */
  readonly onDecide: () => void
}

/** The target folder, its space, the files that already exist, and options for writing. */
export function PreviewSide({ receive: { id, leftOut, followable }, preview, onDecide }: Props) {
  const { directory, preflight, options, setOptions } = preview
  return (
    <section className="sheet-side">
      <h3 className="label">{text.preview.saveTo}</h3>
      <div className="destination">
        <div className="field">
          <Icon of={Folder} />
          <span className="trunc-start grow" title={directory}>
            <bdi dir="ltr">{directory}</bdi>
          </span>
        </div>
        <Button
          onClick={() => {
            void chooseDirectory(id)
          }}
        >
          {text.actions.change}
        </Button>
      </div>
      <Space preflight={preflight} />
      {followable === true && <Following options={options} onChange={setOptions} />}
      {preflight?.cautions.map((caution) => (
        <p key={caution} className="caution">
          {text.preview.cautions[caution]}
        </p>
      ))}
      {preflight && (
        <Conflicts
          preflight={preflight}
          options={options}
          onChange={setOptions}
          onDecide={onDecide}
        />
      )}
      {preflight && <Names preflight={preflight} />}
      <LeftOutList leftOut={leftOut} />
      <Collapsible title={text.preview.moreOptions}>
        <ul className="options">
          {optionNames.map((name) => (
            <li key={name}>
              <Tick
                state={options[name]}
                onToggle={() => setOptions({ ...options, [name]: !options[name] })}
              >
                {text.preview.options[name]}
              </Tick>
            </li>
          ))}
        </ul>
      </Collapsible>
    </section>
  )
}

/** Policies under which a changed file takes the place of the earlier one. */
const followingPolicies = ['update', 'replace'] as const

const optionNames = [
  'verify',
  'compareContent',
  'keepTimes',
  'makeEmptyFolders',
  'portableNames',
] as const

/** The choice to stay connected. Changed files replace earlier ones, so the choice for existing files follows it. */
function Following({ options, onChange }: Pick<ConflictProps, 'options' | 'onChange'>) {
  const [before, setBefore] = useState(options.conflict)
  const { follow = false, deletions = false, ...others } = options
  return (
    <>
      <Tick
        state={follow}
        onToggle={() => {
          if (!follow) setBefore(options.conflict)
          onChange(
            follow
              ? { ...others, conflict: before }
              : { ...options, follow: true, conflict: 'update' },
          )
        }}
      >
        {text.preview.follow}
      </Tick>
      <p className="sub">{text.preview.followAbout}</p>
      {follow && (
        <Tick
          state={deletions}
          onToggle={() => onChange({ ...others, follow, deletions: !deletions })}
        >
          {text.preview.deletions}
        </Tick>
      )}
      {follow && <p className="sub">{text.preview.deletionsAbout}</p>}
    </>
  )
}

/** The space needed and free. Its height is reserved, so an answer shifts nothing. */
function Space({ preflight }: { readonly preflight: Preflight | null }) {
  if (preflight === null) return <div className="space sub">{text.preview.checking}</div>
  const { error, neededBytes, freeBytes, resumedBytes } = preflight
  if (error !== null) {
    const { what, remedy } = describeError(error)
    return (
      <div className="space" role="alert">
        <p className="sub danger">
          {what} {remedy}
        </p>
      </div>
    )
  }
  const isTooLittle = neededBytes > freeBytes
  const share = freeBytes === 0 ? 1 : Math.min(1, neededBytes / freeBytes)
  return (
    <div className="space">
      <div className={isTooLittle ? 'track danger' : 'track'} aria-hidden>
        <div style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
      <p className="space-words">
        <span>{text.preview.needed(neededBytes)}</span>
        <span className={isTooLittle ? 'danger' : ''}>
          {isTooLittle
            ? text.preview.short(neededBytes - freeBytes)
            : text.preview.freeAfter(freeBytes - neededBytes)}
        </span>
      </p>
      {resumedBytes > 0 && <p className="sub">{text.preview.alreadyReceived(resumedBytes)}</p>}
    </div>
  )
}

type ConflictProps = {
  readonly preflight: Preflight
  readonly options: ReceiveOptions
  readonly onChange: (options: ReceiveOptions) => void
  readonly onDecide: () => void
}

/** Files that already exist under the same names, and the choice for them. */
function Conflicts({ preflight, options, onChange, onDecide }: ConflictProps) {
  const { identical, identicalBytes, different } = preflight.conflicts
  const { updatedFiles, updatedBytes } = preflight
  const listed = new Set(preflight.conflictPaths.map(({ path }) => path))
  const decided = options.choices.filter(({ path }) => listed.has(path)).length
  if (identical + different === 0) return null
  return (
    <>
      <h3 className="label">{text.preview.existing(identical + different)}</h3>
      {identical > 0 && (
        <p className="conflict">
          <span className="grow">
            {text.preview.identical({ files: identical, bytes: identicalBytes })}
          </span>
          <span className="meta">{text.preview.skipped}</span>
        </p>
      )}
      {different > 0 && (
        <div className="conflict">
          <span className="grow">{text.preview.different(different)}</span>
          <Choice
            name={text.preview.policy}
            value={options.conflict}
            options={(options.follow === true ? followingPolicies : conflictPolicies).map(
              (policy) => [policy, text.preview.policies[policy]],
            )}
            onChange={(conflict) => onChange({ ...options, conflict })}
          />
        </div>
      )}
      {updatedFiles > 0 && (
        <p className="conflict">
          {text.preview.updated({ files: updatedFiles, bytes: updatedBytes })}
        </p>
      )}
      {different > 0 && (
        <div className="conflict">
          <span className="grow meta">{decided > 0 && text.preview.each.decided(decided)}</span>
          <Button variant="ghost" size="small" icon={ListChecks} onClick={onDecide}>
            {text.preview.each.open}
          </Button>
        </div>
      )}
    </>
  )
}

/** Names that people read; the rest is only counted. */
const namesShown = 100

function Names({ preflight }: { readonly preflight: Preflight }) {
  const { tooLarge } = preflight
  return (
    <>
      <MappedNames title={text.preview.changedNames} of={preflight} />
      {tooLarge.length > 0 && (
        <Collapsible title={text.preview.tooLarge(tooLarge.length)} tone="danger">
          <ul className="names">
            {tooLarge.slice(0, namesShown).map((path) => (
              <li key={path}>
                <bdi>{visibleText(path)}</bdi>
              </li>
            ))}
            <Rest count={tooLarge.length - namesShown} />
          </ul>
        </Collapsible>
      )}
    </>
  )
}

const Rest = ({ count }: { readonly count: number }) =>
  count > 0 ? <li>{text.lists.more(count)}</li> : null
