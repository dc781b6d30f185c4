import { useState } from 'react'
import type { TransferFile } from '#shared/files'
import { limits } from '#shared/limits'
import type { OtherSide } from '#shared/state/app-state'
import { prioritizeFiles, selectFiles } from '../../actions/actions'
import { patternOf } from '../../view/ticks'

/** The actions on files during a transfer. */
export type FileAction = 'first' | 'skip' | 'want'

/** The actions that make sense for a file in its state. */
export const actionsFor = ({ state, kind }: TransferFile): readonly FileAction[] => {
  if (kind !== 'file') return []
  if (state === 'waiting') return ['first', 'skip']
  if (state === 'active') return ['skip']
  return state === 'skipped' ? ['want'] : []
}

type Options = { readonly side: OtherSide; readonly refresh: () => void }

export type FileSelection = ReturnType<typeof useFileSelection>

/** The chosen files by path, at most as many as one command takes, and the actions on them. */
export function useFileSelection({ side, refresh }: Options) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, TransferFile>>(new Map())
  const clear = (): void => setChosen(new Map())
  const toggle = (file: TransferFile): void =>
    setChosen((before) => {
      const next = new Map(before)
      if (!next.delete(file.path) && next.size < limits.patterns) next.set(file.path, file)
      return next
    })
  const act = async (action: FileAction, files: readonly TransferFile[]): Promise<void> => {
    if (!('receive' in side)) return
    const patterns = files.map(({ path }) => patternOf(path))
    if (action === 'first') await prioritizeFiles(side.receive, patterns)
    else await selectFiles(side.receive, patterns, action === 'want')
    refresh()
  }
  return {
    chosen,
    isFull: chosen.size >= limits.patterns,
    clear,
    toggle,
    act,
    /** Acts on the chosen files whose state allows it. */
    actOnChosen: async (action: FileAction): Promise<void> => {
      const files = [...chosen.values()].filter((file) => actionsFor(file).includes(action))
      clear()
      if (files.length > 0) await act(action, files)
    },
  }
}
