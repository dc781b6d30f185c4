/** The controls of the page, as Tab finds them. */
const controls =
  ':is(button, input, select, textarea, a[href], summary, [tabindex="0"]):not([disabled], [tabindex="-1"])'

/** The first control within an element that is shown. */
export const firstControl = (element: HTMLElement): HTMLElement | undefined =>
  Array.from(element.querySelectorAll<HTMLElement>(controls)).find(
    (control) => control.getClientRects().length > 0,
  )
