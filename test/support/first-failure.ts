import fc from 'fast-check';

// Mutation tests stop at the first failing case, because nobody needs the smallest one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
