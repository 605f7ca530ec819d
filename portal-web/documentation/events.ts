import type { EventForm, EventReference } from './model.ts';
import type { Contract, Message } from './contract.ts';
import { fieldRows } from './fieldRows.ts';

/** Every type of event, with the one or two forms in which it is delivered. */
export function eventsOf(contract: Contract): Record<string, EventReference> {
  const { operations } = contract.asyncApi;
  const types = [...new Set(messagesOf(contract, 'notify').map(({ name }) => name))];
  const forms = ['notify', 'notifyWithSnapshot'].map((operation) => ({
    words: operations[operation]?.description.trim().replaceAll(/\s+/g, ' ') ?? '',
    messages: messagesOf(contract, operation),
  }));
  return Object.fromEntries(
    types.map((type) => {
      const delivered = forms.flatMap(({ words, messages }) =>
        messages.filter(({ name }) => name === type).map((message) => ({ words, message })),
      );
      // A type without a snapshot is the same message in both modes.
      const different = delivered.filter(({ message }, place) => delivered.findIndex((each) => each.message === message) === place);
      const [first] = different;
      if (!first) throw new Error(`No message has the name ${type}.`);
      return [type, eventOf(contract, first.message, different.length === 1 ? [{ ...first, words: '' }] : different)];
    }),
  );
}

function messagesOf(contract: Contract, operation: string): Message[] {
  return (contract.asyncApi.operations[operation]?.messages ?? []).map((reference) => contract.resolve<Message>(reference));
}

function eventOf(contract: Contract, message: Message, forms: readonly { words: string; message: Message }[]): EventReference {
  return {
    type: message.name,
    summary: message.summary,
    headers: fieldRows(contract, message.headers),
    exampleHeaders: Object.entries(message.examples[0]?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    forms: forms.map(({ words, message: { payload, examples } }): EventForm => ({
      words,
      fields: fieldRows(contract, payload),
      example: JSON.stringify(examples[0]?.payload, null, 2),
    })),
  };
}
