/** The controls of the page, as Tab finds them. */
const controls =
  ':is(button, input, select, textarea, a[href], summary, [tabindex="0"]):not([disabled], [tabindex="-1"])'

/** What ends a transfer: nobody shall press it who did not go there. */
export const endsTransfer = 'ends'

/** The first control within an element that is shown, and that ends nothing if there is another one. */
export const firstControl = (element: HTMLElement): HTMLElement | undefined => {
  const shown = Array.from(element.querySelectorAll<HTMLElement>(controls)).filter(
    (control) => control.getClientRects().length > 0,
  )
  return shown.find(({ classList }) => !classList.contains(endsTransfer)) ?? shown[0]
}
