// Loaded with --import before the look-alike: gives the process its planted fault.
import { plantAtLoad, plantedHere } from '../../simulation/planted/plant-at-load.ts';
import { FAULTS_OF_THE_LOOK_ALIKE } from './faults.ts';

const fault = plantedHere(FAULTS_OF_THE_LOOK_ALIKE);
if (fault) plantAtLoad(fault);
