import { shortcutGroups, shortcuts } from '#shared/shortcuts'
import { closeShortcuts } from '../../actions/shortcut-actions'
import { Sheet } from '../../components/sheet'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { keyNames } from '../../view/key-names'

/** All keys, by their use. */
export function ShortcutSheet() {
  const isOpen = useUiStore((ui) => ui.shortcuts)
  return (
    <Sheet
      title={text.shortcuts.title}
      className="shortcut-sheet"
      isOpen={isOpen}
      onClose={closeShortcuts}
    >
      <div className="shortcut-groups" tabIndex={0}>
        {shortcutGroups.map((group) => (
          <ShortcutGroup key={group} group={group} />
        ))}
      </div>
    </Sheet>
  )
}

function ShortcutGroup({ group }: { readonly group: (typeof shortcutGroups)[number] }) {
  const own = shortcuts.filter((shortcut) => shortcut.group === group)
  return (
    <section>
      <h3 className="label">{text.shortcuts.groups[group]}</h3>
      <dl className="shortcut-list">
        {own.map(({ id, keys }) => (
          <div key={id}>
            <dt>{text.shortcuts.effects[id]}</dt>
            <dd>
              {keys.map((combination) => (
                <span key={combination} className="key-combination">
                  {keyNames(combination).map((name) => (
                    <kbd key={name} className="kbd">
                      {name}
                    </kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
