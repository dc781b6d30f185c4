/** Symbolic links of a share that lead out of it, which the sender chose to follow. */

/** A link: its place in the share, and the path that it leads to. */
export type FollowedLink = { readonly path: string; readonly target: string }

/** Their number, and the first 1,000. */
export type FollowedLinks = { readonly count: number; readonly links: readonly FollowedLink[] }
