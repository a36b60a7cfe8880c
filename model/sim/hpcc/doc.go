// Package hpcc reads the input files of the HPCC simulator (ns-3.18 with RDMA:
// github.com/alibaba-edu/High-Precision-Congestion-Control), so that its users can come
// over with what they have: a configuration that names a topology and a flow file.
//
// Files are found relative to the configuration's folder. Other keys have that simulator's defaults
// (simulation/scratch/third.cc). Keys that only choose its output are accepted and have no effect.
package hpcc
