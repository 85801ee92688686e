export function format(cents: number): string;
