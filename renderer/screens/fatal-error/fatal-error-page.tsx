import { TriangleAlert } from 'lucide-react'
import { createRoot } from 'react-dom/client'
import { bridge } from '../../bridge'
import { Announcer } from '../../components/announcer'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { useCopied } from '../../components/use-copied'
import { text } from '../../text'
import { followSystemTheme } from '../../theme'

type FatalErrorKind = keyof typeof text.fatalError.titles

const isKind = (kind: string): kind is FatalErrorKind => Object.hasOwn(text.fatalError.titles, kind)

/** Replaces the app in the page. */
export function startFatalErrorPage(kind: string): void {
  followSystemTheme(document.documentElement)
  const root = document.getElementById('root')
  if (root !== null)
    createRoot(root).render(<FatalErrorPage kind={isKind(kind) ? kind : 'program'} />)
}

/** The problem, and buttons for the two remedies. */
function FatalErrorPage({ kind }: { readonly kind: FatalErrorKind }) {
  const [state, copy] = useCopied(async () => (await bridge.copyReport(undefined)).ok)
  return (
    <main className="fatal-error">
      <article className="card result-head">
        <span className="disc danger">
          <TriangleAlert aria-hidden />
        </span>
        <div className="grow">
          <h1 className="title large">{text.fatalError.titles[kind]}</h1>
          <p className="sub">{text.fatalError.abouts[kind]}</p>
        </div>
        <Button variant="primary" size="large" onClick={() => void bridge.restart(undefined)}>
          {text.fatalError.restart}
        </Button>
      </article>
      <p className="footnote">
        {text.fatalError.reportAbout}
        <CopyButton
          state={state}
          words={text.fatalError.copyReport}
          variant="ghost"
          size="small"
          onClick={() => copy('')}
        />
      </p>
      <Announcer />
    </main>
  )
}
