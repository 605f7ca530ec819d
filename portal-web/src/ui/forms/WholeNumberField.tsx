import { TextInput, type TextInputProps } from '@mantine/core';

type WholeNumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  /** The number, or '' while the field is empty. */
  value?: number | string;
  onChange: (value: number | '') => void;
};

/** Nine digits fit into what GraphQL calls Int. */
const digitsOnly = /^\d{0,9}$/;

/**
 * A field for a whole number, with the digits’ keyboard on telephones. It takes groups as they are copied, as in 1,200, and no other signs.
 * Bounds are the service’s to judge.
 */
export function WholeNumberField({ value = '', onChange, ...rest }: WholeNumberFieldProps) {
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      value={String(value)}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replaceAll(/[\s,]/g, '');
        if (digitsOnly.test(digits)) onChange(digits === '' ? '' : Number(digits));
      }}
    />
  );
}
