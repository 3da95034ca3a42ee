/* net_commands.h - the subcommands of `aji net`. Each takes the arguments of main(), with its own
 * word as argv[0], and returns the exit code. Threading: confined. */
#pragma once

int net_new_command(int argc, char **argv);
int net_info_command(int argc, char **argv);
int net_convert_command(int argc, char **argv);
int net_export_command(int argc, char **argv);
int net_show_command(int argc, char **argv);
int net_check_command(int argc, char **argv);
int net_quantize_command(int argc, char **argv);
int net_average_command(int argc, char **argv);
int net_metrics_command(int argc, char **argv);
