import { TriangleAlert } from 'lucide-react'
import { createRoot } from 'react-dom/client'
import { bridge } from '../../bridge'
import { Announcer } from '../../components/announcer'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { useCopied } from '../../components/use-copied'
import { text } from '../../text'
import { followSystemTheme } from '../../theme'

type TroubleKind = keyof typeof text.trouble.titles

const isKind = (kind: string): kind is TroubleKind => Object.hasOwn(text.trouble.titles, kind)

/** Replaces the app in the page. */
export function startTrouble(kind: string): void {
  followSystemTheme(document.documentElement)
  const root = document.getElementById('root')
  if (root !== null) createRoot(root).render(<TroublePage kind={isKind(kind) ? kind : 'program'} />)
}

/** The problem, and buttons for the two remedies. */
function TroublePage({ kind }: { readonly kind: TroubleKind }) {
  const [state, copy] = useCopied(async () => (await bridge.copyReport(undefined)).ok)
  return (
    <main className="trouble">
      <article className="card result-head">
        <span className="disc danger">
          <TriangleAlert aria-hidden />
        </span>
        <div className="grow">
          <h1 className="title large">{text.trouble.titles[kind]}</h1>
          <p className="sub">{text.trouble.abouts[kind]}</p>
        </div>
        <Button variant="primary" size="large" onClick={() => void bridge.restart(undefined)}>
          {text.trouble.restart}
        </Button>
      </article>
      <p className="footnote">
        {text.trouble.reportAbout}
        <CopyButton
          state={state}
          words={text.trouble.copyReport}
          variant="ghost"
          size="small"
          onClick={() => {
            copy('')
          }}
        />
      </p>
      <Announcer />
    </main>
  )
}
