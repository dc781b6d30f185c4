/** Unfinished input, which the main process keeps across reloads of the page. */
import type { WindowDraft } from '#shared/window-draft'
import { bridge } from './bridge'
import { type UiState, useUiStore } from './store/ui-store'

/** Changes in quick succession are sent together. */
const pauseMs = 300

const draftOf = ({ codeDraft, codeLink, writing, nextShare }: UiState): WindowDraft => ({
  code: codeDraft,
  link: codeLink,
  writing,
  choices: nextShare,
})

/** Restores the draft, then keeps it up to date. */
export async function followDraft(): Promise<void> {
  const reply = await bridge.draft(undefined)
  if (reply.ok && reply.value !== null) {
    const { code, link, writing, choices } = reply.value
    // A code typed meanwhile, or from a link, is newer.
    const isTyped = useUiStore.getState().codeDraft !== ''
    useUiStore.setState({
      ...(isTyped ? {} : { codeDraft: code, codeLink: link }),
      writing,
      nextShare: choices,
    })
  }
  let kept = draftOf(useUiStore.getState())
  let timer: ReturnType<typeof setTimeout> | null = null
  useUiStore.subscribe((state) => {
    const { code, link, writing, choices } = kept
    if (
      state.codeDraft === code &&
      state.codeLink === link &&
      state.writing === writing &&
      state.nextShare === choices
    )
      return
    kept = draftOf(state)
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => void bridge.keepDraft(kept), pauseMs)
  })
}
