import { type ComponentType, lazy, Suspense } from 'react'

/**
 * A component whose code is loaded when it is first shown, so that the window's first paint doesn't wait for it. It has
 * no placeholder, because it loads from the disk.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }))
  return function Later(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
