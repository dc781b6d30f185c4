type Fact = { readonly name: string; readonly value: string; readonly isPath?: true }

/** Summary figures of a finished transfer. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(({ name, value, isPath }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className={isPath ? 'trunc-start' : 'trunc'} title={value}>
          {isPath ? <bdi dir="ltr">{value}</bdi> : value}
        </dd>
      </div>
    ))}
  </dl>
)
