import { Code, Group } from '@mantine/core';

/** Scopes by their names. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <Group gap={6}>
      {scopes.map((scope) => (
        <Code key={scope}>{scope}</Code>
      ))}
    </Group>
  );
}
