import { useEffect } from 'react'
import { shareDropped } from './actions'
import { useUiStore } from './store/ui-store'

const carriesFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer !== null && transfer.types.includes('Files')

const fileCount = (transfer: DataTransfer): number =>
  [...transfer.items].filter(({ kind }) => kind === 'file').length

const setDrag = (drag: { readonly items: number } | null): void => {
  useUiStore.setState({ drag })
}

/** The whole window is the target: files dropped anywhere are shared. */
export function useFileDrop(): void {
  useEffect(() => {
    const listeners = new AbortController()
    const on = <T extends DragType | 'pointermove'>(
      type: T,
      react: (event: WindowEventMap[T]) => void,
    ): void => {
      window.addEventListener(type, react, { signal: listeners.signal })
    }
    on('dragenter', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDrag({ items: fileCount(event.dataTransfer) })
    })
    on('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    })
    // Leaving an element for its neighbour is not leaving the window: only then nothing is entered.
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setDrag(null)
    })
    // Some file managers take files away without a word; while they are held no pointer moves.
    on('pointermove', () => {
      if (useUiStore.getState().drag !== null) setDrag(null)
    })
    on('drop', (event) => {
      setDrag(null)
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      void shareDropped([...event.dataTransfer.files])
    })
    return () => {
      listeners.abort()
    }
  }, [])
}

type DragType = 'dragenter' | 'dragover' | 'dragleave' | 'drop'
