import fc from 'fast-check';

// Under mutation the first case that fails is enough: nobody reads the smallest one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
