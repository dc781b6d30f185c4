/** Asks the user to compare the numbers of calls to nearby computers. */
import type { Client } from '#client/client'
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { ShareId } from '#shared/state/app-state'
import type { NearbyCall, NearbyId } from '#shared/state/nearby'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

const needsAnswer = ({ phase }: NearbyCall): boolean => phase === 'asked' || phase === 'accepted'

/** Asks about each call once, while `client` runs. */
export function compareNumbers(client: Client, terminal: Terminal): void {
  const asked = new Set<NearbyId>()
  client.subscribe(() => {
    for (const { id, calls = [] } of client.snapshot().state.shares) {
      for (const call of calls.filter(needsAnswer)) {
        if (asked.has(call.computer)) continue
        asked.add(call.computer)
        void askAbout(client, id, call, terminal)
      }
    }
  })
}

/** The question ends when the computer leaves or declines. */
async function askAbout(
  client: Client,
  share: ShareId,
  { computer, name, safety }: NearbyCall,
  terminal: Terminal,
): Promise<void> {
  const gone = new AbortController()
  const unsubscribe = client.subscribe(() => {
    const { shares } = client.snapshot().state
    const call = shares.flatMap(({ calls = [] }) => calls).find((one) => one.computer === computer)
    if (call === undefined || !needsAnswer(call)) gone.abort()
  })
  const question = text.prompt.compare(visibleText(name), formatSafety(safety ?? ''))
  const isRight = await terminal.ask(question, gone.signal)
  unsubscribe()
  if (!gone.signal.aborted) client.shares.get(share)?.compare(computer, isRight)
}
