import { useMemo, useState } from 'react'
import type { Preflight } from '#shared/offer'
import {
  type ReceiveOptions,
  type ReceivePlan,
  type Selection,
} from '#shared/settings/receive-options'
import { receiveOptionsOf } from '#shared/settings/settings-defaults'
import type { Receive } from '#shared/state/app-state'
import { useSettings } from '../../actions/settings-actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { continued } from '../../view/receive-view'
import { allTicked, selectionOf, type Ticks, wantedOf } from '../../view/ticks'
import { type OfferFolders, useOffer } from './use-offer'
import { usePreflight } from './use-preflight'

/** A person's choices before accepting, and their results. */
export type Preview = {
  readonly folders: OfferFolders
  readonly load: (path: string) => void
  readonly ticks: Ticks
  readonly setTicks: (ticks: Ticks) => void
  /** The choice of an interrupted receive applies; its patterns may not correspond to ticks. */
  readonly hasEarlierChoice: boolean
  readonly chooseAgain: () => void
  readonly directory: string
  readonly options: ReceiveOptions
  readonly setOptions: (options: ReceiveOptions) => void
  /** `null` when the ticks can't be expressed as patterns. */
  readonly selection: Selection | null
  readonly wanted: { readonly files: number; readonly bytes: number }
  readonly preflight: Preflight | null
  /** See `usePreflight`. */
  readonly areNamesChecked: boolean
  /** False for an interrupted receive: its files have their names, unless the engine refuses these. */
  readonly canRename: boolean
  /** True when accepting resumes an interrupted receive. */
  readonly isContinued: boolean
}

const nothing = { files: 0, bytes: 0 }

const isChoice = ({ selection: { only, except }, changes }: ReceivePlan): boolean =>
  only.length + except.length + changes.length > 0

export function usePreview(receive: Receive): Preview {
  const { id, totals } = receive
  const earlier = useAppStore(({ state }) => (state === null ? null : continued(state, receive)))
  const downloads = useAppStore(
    ({ state }) => state?.settings.receiving.folder || state?.downloads || '',
  )
  const chosen = useUiStore(({ directories }) => directories[id])
  const directory = chosen ?? earlier?.directory ?? downloads

  const receiving = useSettings('receiving')
  const [chosenOptions, setOptions] = useState(earlier?.options ?? receiveOptionsOf(receiving))
  const [decidedIn, setDecidedIn] = useState(directory)
  // Decisions about the files of one folder don't apply to those of another.
  const isDecided = decidedIn === directory
  const options = useMemo(
    () => (isDecided ? chosenOptions : { ...chosenOptions, choices: [] }),
    [chosenOptions, isDecided],
  )
  const [earlierPlan, setEarlierPlan] = useState(earlier)
  const [earlierNames] = useState(earlier?.options.renames)
  const [ticks, setTicks] = useState(allTicked)
  const hasEarlierChoice = earlierPlan !== null && isChoice(earlierPlan)

  const { folders, load } = useOffer(receive)
  const ticked = useMemo(() => {
    return selectionOf(ticks, (path) => {
      const folder = folders.get(path)
      const isComplete = folder !== undefined && folder.entries.length === folder.total
      return isComplete ? folder.entries.map(({ name }) => name) : null
    })
  }, [ticks, folders])
  // Further listings seldom change the selection: an equal one causes no new query.
  const words = JSON.stringify(hasEarlierChoice ? earlierPlan.selection : ticked)
  const selection = useMemo(() => JSON.parse(words) as Selection | null, [words])
  const { preflight, areNamesChecked } = usePreflight(id, { directory, options, selection })

  return {
    folders,
    load,
    ticks,
    setTicks,
    hasEarlierChoice,
    chooseAgain: () => setEarlierPlan(null),
    directory,
    options,
    setOptions: (next) => {
      setOptions(next)
      setDecidedIn(directory)
    },
    selection,
    wanted: wantedOf(ticks, '', totals ?? nothing),
    preflight,
    areNamesChecked,
    canRename:
      earlier === null ||
      preflight?.error?.code === 'E_NAME_NOT_ALLOWED' ||
      options.renames !== earlierNames,
    isContinued: earlier !== null,
  }
}
