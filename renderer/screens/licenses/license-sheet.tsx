import { closeLicenses } from '../../actions/license-actions'
import { Sheet } from '../../components/sheet'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** The product's components, with the texts of their licenses, which are in English. */
export function LicenseSheet() {
  const notices = useUiStore((ui) => ui.licenses)
  return (
    <Sheet
      title={text.licenses.title}
      className="license-sheet"
      isOpen={notices !== null}
      onClose={closeLicenses}
    >
      <pre className="license-text" lang="en" dir="ltr" tabIndex={0}>
        {notices}
      </pre>
    </Sheet>
  )
}
