/** The part of the WHATWG's `URL` that this folder uses; Node and browsers have the same one. */
declare class URL {
  /** Throws for what is no URL. */
  constructor(url: string)
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}
