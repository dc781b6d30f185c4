import { useUiStore } from '../store/ui-store'

/** The one polite live region: what happened last, in a sentence. The same words said again are new words. */
export function Announcer() {
  const { words, nth } = useUiStore((ui) => ui.said)
  return (
    <p className="sr-only" role="status">
      <span key={nth}>{words}</span>
    </p>
  )
}
