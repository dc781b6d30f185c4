import { useEffect } from 'react'
import type { ShareId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyId } from '#shared/state/nearby'
import { shareDropped } from './actions/share-actions'
import { type DropTarget, type UiState, useUiStore } from './store/ui-store'

const carriesFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer !== null && transfer.types.includes('Files')

/** The files, by their MIME types; those of folders and unknown files are empty. */
const typesOf = (transfer: DataTransfer): readonly string[] =>
  [...transfer.items].flatMap(({ kind, type }) => (kind === 'file' ? [type] : []))

/** Types that the overlay shows. */
const typesShown = 3

/** The card or the person under the pointer: files dropped there are added to the share, or sent to the person. */
function targetUnder({ target }: DragEvent): DropTarget | null {
  if (!(target instanceof Element)) return null
  const card = target.closest<HTMLElement>(
    '[data-share], [data-contact], [data-nearby], [data-group]',
  )
  const { share, contact, nearby, group } = card?.dataset ?? {}
  if (contact !== undefined) return { to: { contact: contact as ContactId } }
  if (nearby !== undefined) return { to: { nearby: nearby as NearbyId } }
  if (group !== undefined) return { to: { group } }
  return share === undefined ? null : { share: share as ShareId }
}

function dragOf(event: DragEvent, transfer: DataTransfer): UiState['drag'] {
  const types = typesOf(transfer)
  return { items: types.length, types: types.slice(0, typesShown), over: targetUnder(event) }
}

const keyOf = (target: DropTarget | null | undefined): string => JSON.stringify(target ?? null)

function setDrag(drag: UiState['drag']): void {
  const before = useUiStore.getState().drag
  const isSame = before?.items === drag?.items && keyOf(before?.over) === keyOf(drag?.over)
  if (!isSame) useUiStore.setState({ drag })
}

/** The whole window is the target: files dropped anywhere are shared, or added to a share. */
export function useFileDrop(): void {
  useEffect(() => {
    const listeners = new AbortController()
    const on = <T extends DragType | 'pointermove'>(
      type: T,
      react: (event: WindowEventMap[T]) => void,
    ): void => window.addEventListener(type, react, { signal: listeners.signal })
    on('dragenter', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDrag(dragOf(event, event.dataTransfer))
    })
    on('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setDrag(dragOf(event, event.dataTransfer))
    })
    // Moving to a neighboring element doesn't leave the window: only then is no element entered.
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setDrag(null)
    })
    // Some file managers end a drag without an event; the pointer doesn't move during a drag.
    on('pointermove', () => {
      if (useUiStore.getState().drag !== null) setDrag(null)
    })
    on('drop', (event) => {
      setDrag(null)
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      void shareDropped([...event.dataTransfer.files], targetUnder(event))
    })
    return () => listeners.abort()
  }, [])
}

type DragType = 'dragenter' | 'dragover' | 'dragleave' | 'drop'
