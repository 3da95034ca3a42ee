/* net_commands.h - the subcommands of `aji net`. Each takes arguments as main() does, where argv[0]
 * is the word of the subcommand, and returns the exit code. Threading: confined. */
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
