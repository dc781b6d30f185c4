/** The controls of the page in tab order. */
const controls =
  ':is(button, input, select, textarea, a[href], summary, [tabindex="0"]):not([disabled], [tabindex="-1"])'

/** The class of buttons that end a transfer. Only people move the focus to these. */
export const endsTransfer = 'ends'

/** The first visible control within an element; one that ends a transfer only if there is no other. */
export const firstControl = (element: HTMLElement): HTMLElement | undefined => {
  const shown = Array.from(element.querySelectorAll<HTMLElement>(controls)).filter(
    (control) => control.getClientRects().length > 0,
  )
  return shown.find(({ classList }) => !classList.contains(endsTransfer)) ?? shown[0]
}
