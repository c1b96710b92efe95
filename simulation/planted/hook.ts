// Loaded with --import before anything of src/: gives the process its planted fault.
import { plantAtLoad, plantedHere } from './plant-at-load.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const fault = plantedHere(PLANTED_FAULTS);
if (fault) plantAtLoad(fault);
